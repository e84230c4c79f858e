-- Statistics that were taken while many changes waited make a plan read the whole table for "none waits". Every publisher asks
-- this again and again.
alter function published.give_places() set enable_seqscan = off;
