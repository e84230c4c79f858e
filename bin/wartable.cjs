#!/usr/bin/env -S node --max-semi-space-size=16
// The installed command. The flag above keeps V8's young generation small; V8 reads it only when a process
// starts. Any Node can read this file, so even an old one can say what is wrong.
// oxlint-disable-next-line import/no-unassigned-import -- it ends the process and exports nothing
require('./needs-node-24.cjs');

void import('../dist/cli.js');
