import { type CommandResult, wartable } from './command.ts';

/**
 * Runs a command as an unprivileged user. Root can read and remove every file, but without two of its
 * capabilities it is like any other user.
 */
export function unprivileged(args: string[], environment: Record<string, string>): Promise<CommandResult> {
  const limits = [
    '--bounding-set=-dac_override,-dac_read_search',
    '--inh-caps=-dac_override,-dac_read_search',
  ];
  return wartable(args, environment, '', process.getuid?.() === 0 ? ['setpriv', ...limits] : []);
}
