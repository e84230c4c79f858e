import express from 'express';
import pg from 'pg';

// node express.mjs PORT DATABASE_URL: a player's page, joined and serialised for each request. No keys, no log.
const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

const text = `
  select battle.id, battle.date::text, battle.stage, battle.round, battle.table_number, battle.scenario,
    battle.battle_pack, coalesce(battle.battle_size, tournament.battle_size) as battle_size, battle.finished,
    battle.winner, battle.victory_size, tournament.slug, tournament.name as tournament,
    ${side('first')}, ${side('second')}
  from peers.player_page($1) battle
  left join record.tournament on tournament.id = battle.tournament_id
  ${joins('first')}
  ${joins('second')}
  order by battle.date desc nulls last, battle.round desc nulls last, battle.id desc`;

const app = express();
app.get('/users/:id/battles', async (request, response) => {
  const { rows } = await pool.query({ name: 'page', text, values: [request.params.id] });
  const data = rows.map(({ slug, tournament, ...row }) => ({
    id: row.id,
    date: row.date,
    stage: row.stage,
    round: row.round,
    table: row.table_number,
    scenario: row.scenario,
    battlePack: row.battle_pack,
    battleSize: row.battle_size,
    finished: row.finished,
    winner: row.winner,
    victorySize: row.victory_size,
    tournament: slug === null ? null : { slug, name: tournament },
    sides: ['first', 'second'].map((each) => ({
      player: row[`${each}_id`],
      name: row[`${each}_name`],
      club: row[`${each}_club`],
      faction: row[`${each}_faction`],
      subFaction: row[`${each}_sub_faction`],
      battlePoints: row[`${each}_battle_points`],
      victoryPoints: row[`${each}_victory_points`],
      objectivePoints: row[`${each}_objective_points`],
      role: row[`${each}_role`],
      drops: row[`${each}_drops`],
      metrics: row[`${each}_metrics`],
    })),
  }));
  response.json({ data });
});
app.listen(Number(port), '127.0.0.1');

function side(name) {
  const columns = [
    'faction',
    'sub_faction',
    'battle_points',
    'victory_points',
    'objective_points',
    'role',
    'drops',
    'metrics',
  ];
  return `${name}_player.id as ${name}_id, ${name}_club.name as ${name}_club,
    coalesce(${name}_player.name, ${name}_part.name, battle.${name}_name) as ${name}_name,
    ${columns.map((column) => `battle.${name}_${column}`).join(', ')}`;
}

function joins(name) {
  return `left join record.participant ${name}_part
    on ${name}_part.tournament_id = battle.tournament_id and ${name}_part.id = battle.${name}_participant
  left join record.player ${name}_player on ${name}_player.id = coalesce(${name}_part.player, battle.${name}_player)
  left join record.club ${name}_club on ${name}_club.slug = coalesce(${name}_part.club, battle.${name}_club)`;
}
