#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=1000000 MALLOC_MMAP_THRESHOLD_=65536 node --max-semi-space-size=4
// The installed command. The flags above keep the memory of a server small (docs/bench.md, "What limits memory"): V8 and
// the C library read them only when a process starts. Any Node can read this file, so that an old one says what is wrong.
// oxlint-disable-next-line import/no-unassigned-import -- it ends the process, it gives nothing
require('./needs-node-24.cjs');

void import('../dist/cli.js');
