// Three small sheets to begin with. With a slug they can be converted and imported as they are, and they are
// not public.

/** Returns the sheets. `day` is the day of the event, because the page of a past event is not live. */
export const template = (day: string) => ({
  'event.csv': `fact,value
slug,
name,Club Cup 2026
status,ongoing
published,no
start,${day}
end,${day}
city,Example Town
country,Exampleland
size,2000
pack,
rounds,3
top,
scoring,3/1/0
organiser,
`,
  'players.csv': `no,name,club,faction,subfaction,points,list,dropped,place
1,First Player,,Lanternsworn,Long Vigil,2000,,,
2,Second Player,,Rimehold Kin,,,,,
3,Third Player,,Marrow Choir,,,,,
`,
  'games.csv': `round,table,player 1,player 2,result,vp 1,vp 2,bp 1,bp 2,scenario,date
1,1,1,2,1 major,20,9,,,Three Wells,${day}
1,,3,,,,,,,,
2,1,2,3,,14,14,,,Twin Gates,${day}
2,,1,,,,,,,,
3,1,3,1,,,,,,Last Ferry,${day}
`,
});
