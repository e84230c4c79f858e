import { createCluster, removeLeftBehind, startCluster } from './postgres.ts';
import { reasonOf } from './reason.ts';

// A separate program that runs a throwaway PostgreSQL until its standard input ends, and then deletes the
// data. The input ends with the process that started it, even if that process is killed, so PostgreSQL never
// outlives the command. It prints one line of JSON: the address, or why there is none.

const [native = ''] = process.argv.slice(2);
const parentIsGone = new Promise((resolve) => {
  process.stdin.once('close', resolve).once('error', resolve).resume();
});
process.stdout.on('error', () => {});

try {
  await removeLeftBehind();
  const postgres = await startCluster(await createCluster(native));
  console.log(JSON.stringify({ url: postgres.url }));
  await parentIsGone;
  await postgres.remove();
} catch (error) {
  console.log(JSON.stringify(reasonOf(error)));
}
process.exit();
