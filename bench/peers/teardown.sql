drop schema if exists peers cascade;
drop index if exists record.bench_battle_first, record.bench_battle_second;
