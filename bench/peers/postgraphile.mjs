import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

// node postgraphile.mjs PORT DATABASE_URL: the tables of the record as GraphQL. No keys, no log.
const [port, connectionString] = process.argv.slice(2);

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['peers', 'record'], max: 10 })],
  grafast: { explain: false },
  grafserv: { graphqlOverGET: true, graphiql: false, watch: false },
  schema: { defaultBehavior: '-mutation' },
};

const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(Number(port), '127.0.0.1');
