import type pg from 'pg';

/**
 * Returns the objects of a database, and the options of objects, that schema-text.ts cannot write. Without
 * this, a first view or row policy would be missing in schema.sql, and no test would notice.
 */
export async function unknownObjects(client: pg.Client): Promise<string[]> {
  // Object ids below 16384 are PostgreSQL's own.
  const { rows } = await client.query<{ name: string }>(`
    with schema as (
      select oid from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    ), relation as (
      select c.* from pg_class c join schema s on s.oid = relnamespace
      where c.oid::regclass::text not in ('record.migration', 'record.migration_id_seq', 'record.migration_pkey')
    ), unknown (classid, objid, objsubid) as (
      -- Kinds of objects.
      select d.classid, d.objid, 0 from pg_depend d
      where refclassid = 'pg_namespace'::regclass and refobjid in (table schema)
        and classid not in ('pg_class'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass)
      union select d.classid, d.objid, 0 from pg_depend d where refobjid = 'public'::regnamespace
      union select 'pg_class'::regclass, oid, 0 from relation where relkind not in ('r', 'i', 'S', 't')
      union select 'pg_type'::regclass, oid, 0 from pg_type
        where typnamespace in (table schema) and (typtype in ('d', 'r', 'm') or typtype = 'b' and typcategory <> 'A')
      union select 'pg_proc'::regclass, oid, 0 from pg_proc
        where pronamespace in (table schema) and prokind not in ('f', 'p')
      union select 'pg_policy'::regclass, oid, 0 from pg_policy
      union select 'pg_extension'::regclass, oid, 0 from pg_extension where oid >= 16384
      union select 'pg_event_trigger'::regclass, oid, 0 from pg_event_trigger
      union select 'pg_publication'::regclass, oid, 0 from pg_publication
      union select 'pg_cast'::regclass, oid, 0 from pg_cast where oid >= 16384
      union select 'pg_default_acl'::regclass, oid, 0 from pg_default_acl
      -- Options of objects.
      union select classoid, objoid, objsubid from pg_description where objoid >= 16384
      union select 'pg_class'::regclass, oid, 0 from relation
        where relkind = 'r' and (relpersistence <> 'p' or relrowsecurity or relforcerowsecurity or relhasrules
          or relispartition or relhassubclass or relreplident <> 'd' or reloftype <> 0 or reltablespace <> 0)
      union select 'pg_class'::regclass, attrelid, attnum from pg_attribute a
        join relation c on c.oid = attrelid and relkind = 'r' join pg_type t on t.oid = atttypid
        where attnum > 0 and (attgenerated <> '' or attstorage <> typstorage or attcompression <> ''
          or coalesce(attstattarget, -1) <> -1 or attoptions is not null or attinhcount > 0)
      union select 'pg_class'::regclass, c.oid, 0 from relation c join pg_sequence q on seqrelid = c.oid
        left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and deptype = 'i'
        left join pg_class t on t.oid = d.refobjid left join pg_attribute on attrelid = t.oid and attnum = refobjsubid
        where (seqstart, seqincrement, seqmin, seqcache, seqcycle) <> (1, 1, 1, 1, false)
          or c.relname is distinct from t.relname || '_' || attname || '_seq'
      union select 'pg_class'::regclass, indexrelid, 0 from pg_index
        where indexrelid in (select oid from relation) and (not indisvalid or indisclustered)
      union select 'pg_constraint'::regclass, oid, 0 from pg_constraint
        where connamespace in (table schema) and not convalidated
      union select 'pg_trigger'::regclass, oid, 0 from pg_trigger where not tgisinternal and tgenabled <> 'O'
    )
    select distinct pg_describe_object(classid, objid, objsubid) as name from unknown order by 1`);
  return rows.map(({ name }) => name);
}
