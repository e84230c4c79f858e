import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed, importText } from '../../harness/support/feed.ts';

// The database also refuses what the domain forbids, no matter who writes to it.

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: await database.loginAs('wartable_publish') });
await client.connect();
atEnd(() => client.end());
assert.deepEqual((await importText(client, exampleFeed())).refusals, []);

const ofTheOpen = `tournament_id = (select id from record.tournament where slug = 'tidewatch-open-2025')`;
const change = (set: string, id = 'tw25-1'): string => `update record.battle set ${set} where id = '${id}'`;

const refused: Record<string, [string, RegExp]> = {
  'a slug that does not fit a URL': [`update record.tournament set slug = 'a/b'`, /tournament_slug_check/],
  'a club slug that does not fit a URL': [
    `insert into record.club (slug, name, description, members, source) values ('A', 'A', '', 0, 'main')`,
    /club_slug_check/,
  ],
  'an erased player with a name': [
    `update record.player set name = 'Bjorn' where id = 'bjorn'`,
    /player_check/,
  ],
  'a nameless player who is not erased': [
    `update record.player set name = null where id = 'ana-q'`,
    /player_check/,
  ],
  'a player who is erased for good and has a name': [
    `update record.player set erased_for_good = true where id = 'ana-q'`,
    /player_erased_for_good/,
  ],
  'a list of which half is erased': [
    `update record.participant_list set text = null`,
    /participant_list_whole_or_erased/,
  ],
  'an end before the start': [
    `update record.tournament set end_date = '2025-01-01' where start_date is not null`,
    /tournament_check/,
  ],
  'a date the calendar does not have': [change(`date = '2025-02-29'`), /out of range/],
  'an unknown club': [`update record.tournament set organizer = 'nowhere'`, /tournament_organizer_fkey/],
  'an unknown pack': [change(`battle_pack = 'None'`), /battle_battle_pack_fkey/],
  'an unknown player': [
    `update record.participant set player = 'zed' where player = 'ana-q'`,
    /participant_player_fkey/,
  ],
  'a participant who is both player and guest': [
    `update record.participant set name = 'x' where player = 'ana-q'`,
    /participant_player_or_guest/,
  ],
  'a player twice in one tournament': [
    `update record.participant set player = 'ana-q', name = null where ${ofTheOpen} and id = 'p3'`,
    /participant_player_tournament_id_key/,
  ],
  'a list for nobody': [
    `update record.participant_list set participant = 'p9'`,
    /participant_list_tournament_id_participant_fkey/,
  ],
  'a stage id outside the known forms': [
    `update record.stage set id = 'finals' where ${ofTheOpen} and id = 'knockout'`,
    /stage_id_check/,
  ],
  'a placement bracket for the first two places': [
    `update record.stage set id = 'placement-2-5' where ${ofTheOpen} and id = 'knockout'`,
    /stage_of_placements/,
  ],
  'a placement bracket whose places run backwards': [
    `update record.stage set id = 'placement-8-5' where ${ofTheOpen} and id = 'knockout'`,
    /stage_of_placements/,
  ],
  'a bracket that calls itself a board': [
    `update record.stage set type = 'board' where id = 'knockout'`,
    /stage_check/,
  ],
  'a grouped stage with a member in no group': [
    `update record.stage set grouped = true where ${ofTheOpen} and id = 'swiss'`,
    /a grouped stage has a member in no group/,
  ],
  'taking the group from a member of a grouped stage': [
    `update record.participant set group_name = null where id = 'a1'`,
    /a grouped stage has a member in no group/,
  ],
  'a group the tournament does not have': [
    `update record.participant set group_name = 'Group C' where id = 'a1'`,
    /participant_tournament_id_group_name_fkey/,
  ],
  'a stage the tournament does not have': [
    change(`stage = 'placement-3'`),
    /battle_tournament_id_stage_fkey/,
  ],
  'a battle with one side': [change('second_participant = null'), /battle_of_a_tournament_or_casual/],
  'a casual battle with one side': [
    change('second_name = null', 'casual-7'),
    /battle_of_a_tournament_or_casual/,
  ],
  'a side that is nobody in the tournament': [
    change(`first_participant = 'p9'`),
    /battle_tournament_id_first_participant_fkey/,
  ],
  'a battle against oneself': [change('second_participant = first_participant'), /battle_two_people/],
  'a winner who did not play': [change('winner = 3'), /battle_winner_check/],
  'a winner of an unfinished battle': [change('finished = false'), /battle_winner_finished/],
  'the size of no win': [change(`victory_size = 'major'`, 'tw25-2'), /battle_size_of_a_win/],
  'two attackers': [change(`second_role = 'attacker'`), /battle_opposite_roles/],
  'a list without its faction': [change(`first_faction = null, first_list = '{}'`), /battle_faction_of_list/],
  'a match winner who did not play': [`update record.match set winner = 'p3'`, /match_winner_played/],
  'a match on a board': [`update record.match set stage = 'swiss'`, /match_stage_check/],
  'a match of an unknown battle': [`update record.match set battle = 'none'`, /match_battle_of_its_stage/],
  "a match of another tournament's battle": [
    `update record.match set battle = 'll-1'`,
    /match_battle_of_its_stage/,
  ],
  'a battle that leaves the stage of its match': [
    change(`stage = 'swiss'`, 'tw25-f'),
    /match_battle_of_its_stage/,
  ],
  'a bye of nobody': [`update record.bye set participant = 'p9'`, /bye_tournament_id_participant_fkey/],
  'removing a club that something refers to': [
    `delete from record.club where slug = 'tidewatch'`,
    /violates foreign key constraint/,
  ],
  'a mark of an unknown kind': [`insert into record.mark (kind, key) values ('x', 'y')`, /mark_kind_check/],
};

for (const [what, [statement, message]] of Object.entries(refused)) {
  test(`the database refuses ${what}`, async () => {
    await client.query('begin');
    try {
      await assert.rejects(async () => {
        await client.query(statement);
        await client.query('set constraints all immediate');
      }, message);
    } finally {
      await client.query('rollback');
    }
  });
}
