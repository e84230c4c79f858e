import type { ClientBase } from 'pg';

const erasuresLock = "hashtextextended('erasures', 0)";

/**
 * Shares the lock of erasures. Every transaction that records facts shares it until it ends, and one that
 * erases a person holds it alone. Otherwise an import that read "not erased" could record a list of the
 * person after the erasure. Take it before any other lock, so that a transaction that waits for it keeps no
 * other transaction waiting.
 */
export async function shareErasures(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${erasuresLock})`);
}

export async function holdErasures(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${erasuresLock})`);
}
