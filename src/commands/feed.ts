import { Command } from 'commander';
import { feedSchema } from '../record/feed/json-schema.ts';
import { addExamples } from './help/examples.ts';

export const feedCommand = new Command('feed').description(
  'describe the feed format; docs/feed.md explains it',
);

feedCommand
  .command('schema')
  .description('print the JSON Schema of one line')
  .action(() => {
    console.log(JSON.stringify(feedSchema(), null, 2));
  });

addExamples(feedCommand, [
  'Save the schema for an editor or a validator',
  'wartable feed schema > feed.schema.json',
]);
