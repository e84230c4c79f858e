#!/usr/bin/env -S node --max-semi-space-size=16
// The installed command. The flag above keeps the young generation of V8 small: V8 reads it
// only when a process starts. Any Node can read this file, so that an old one says what is wrong.
// oxlint-disable-next-line import/no-unassigned-import -- it ends the process, it gives nothing
require('./needs-node-24.cjs');

void import('../dist/cli.js');
