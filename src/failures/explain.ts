import { CommanderError } from 'commander';
import { ForeignAudit } from '../audit/forgotten.ts';
import { ConfigError } from '../config/config.ts';
import { explainDatabaseError } from '../database/explain.ts';
import { Unavailable } from '../availability/unavailable.ts';
import { ForeignFormat } from '../record/foreign-format.ts';
import { ListenError } from '../serve/listeners.ts';
import { UsageError } from './usage-error.ts';

/** Thrown if the command ran, but refused what it was asked to do. */
export class Refused extends Error {}

/** Thrown if the command could not run. The message says what to do. */
export class CannotRun extends Error {}

export interface Explained {
  /** Undefined if the message has been printed already. */
  message: string | undefined;
  /** 0 for success, 1 if something was refused, 2 if the command could not run; see docs/faults.md. */
  exitCode: 0 | 1 | 2;
}

/** Explains to the operator why a command failed, in one sentence without driver text or stack. */
export function explainError(error: unknown, command: string | undefined): Explained {
  // Help or version, which has been printed already. Help in place of a missing subcommand counts as a
  // failure.
  if (error instanceof CommanderError) return { message: undefined, exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof Refused) return { message: error.message, exitCode: 1 };
  return { message: sentenceOf(error, command), exitCode: 2 };
}

/** Errors whose messages already say what to do. */
const ourOwn = [CannotRun, UsageError, ConfigError, ListenError, ForeignAudit, ForeignFormat, Unavailable];

/** Returns one sentence about the error. Also used by commands that go on after it. */
export function sentenceOf(error: unknown, command: string | undefined): string {
  if (ourOwn.some((kind) => error instanceof kind)) return (error as Error).message;
  const known = fileFault(error) ?? explainDatabaseError(error, rights[command ?? ''] ?? recordAndPublish);
  if (known !== undefined) return `${known.charAt(0).toUpperCase()}${known.slice(1)}.`;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return `Unexpected error: ${message}: run again with LOG_LEVEL=debug for the stack, and report it.`;
}

/** Returns the stack of the error and of its causes. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${stackOf(error.cause)}`;
}

function fileFault(error: unknown): string | undefined {
  // A missing unix socket of the database is also reported as ENOENT, with the system call `connect`.
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  if (error.syscall === 'write' && error.code === 'ENOSPC')
    return 'the output cannot be written, because the disk is full: free some space, then try again';
  if (error.syscall === 'connect' || !('path' in error)) return undefined;
  const path = String(error.path);
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return `there is no file ${path}: check the name`;
  if (error.code === 'EACCES') return `the file ${path} cannot be read: give this user the right to read it`;
  if (error.code === 'EBUSY' || (error.code === 'EPERM' && process.platform === 'win32'))
    return `another program is using the file ${path}: close it there, then try again`;
  return undefined;
}

const recordAndPublish =
  'record and publish: grant it wartable_publish, or run `wartable migrate` if it has it';
const manageKeys = 'manage keys: use the login that owns the database';

/** The actions for which a login may lack the rights, by command. */
const rights: Record<string, string> = {
  backup: 'save everything: use the login that owns the database',
  files: 'read what is published: grant it wartable_serve',
  migrate: 'change the schema: use the login that owns the database',
  keys: manageKeys,
  accounts: manageKeys,
  audit: 'read the audit entries: use the login that owns the database',
};
