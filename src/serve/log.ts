import pino, { type Logger } from 'pino';
import { isUnavailable } from '../availability/unavailable.ts';
import type { Answered } from '../api/listener.ts';

export function createLogger(
  level: string,
  destination: pino.DestinationStream = gathered(pino.destination(1)),
): Logger {
  return pino(
    {
      level,
      base: null,
      // Removes API keys from every line, no matter which code wrote it.
      hooks: { streamWrite: (line) => line.replaceAll(/svc_v1_[0-9A-Za-z]+/g, 'svc_v1_(withheld)') },
      serializers: { err: errorFor(level) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/**
 * Returns the serializer for errors. A database that does not answer is not a bug, so its stack trace would
 * not help an operator.
 */
function errorFor(level: string): (error: Error) => object {
  return (error) => {
    const all = pino.stdSerializers.err(error);
    if (level === 'debug' || !isUnavailable(error)) return all;
    const { type, message, code } = all as pino.SerializedError & { code?: unknown };
    return { type, message, code };
  };
}

/**
 * Writes the lines of 10 ms together, because a system call costs more than a line. They are also written
 * before a fatal error and when the process ends by itself. Only a killed process loses the lines of its last
 * 10 ms.
 */
export function gathered(stream: pino.DestinationStream): pino.DestinationStream {
  let lines = '';
  const flushSync = () => {
    const all = lines;
    lines = '';
    if (all !== '') stream.write(all);
  };
  process.on('exit', flushSync);
  const write = (line: string) => {
    if (lines === '') setTimeout(flushSync, gatherMs);
    lines += line;
    if (lines.length > maxGathered) flushSync();
  };
  return Object.assign({ write }, { flushSync });
}

const gatherMs = 10;
const maxGathered = 64_000;

/**
 * Writes one line per request, with the id of the key. The query and other headers are never logged, because
 * they may contain keys. The line is built by hand because answers from memory are so cheap that pino would
 * make up a third of their cost. All members are either ours or checked, so no text needs escaping.
 */
export function answerLog(logger: Logger): (answered: Answered) => void {
  const stream = (logger as unknown as Record<symbol, pino.DestinationStream>)[pino.symbols.streamSym];
  if (stream === undefined) throw new Error('the logger has no stream');
  const isoTime = isoTimeOnce();
  return ({ requestId, method, route, path, status, ms, caller, traceparent }) => {
    if (!logger.isLevelEnabled('info')) return;
    const rounded = Math.round(ms * 10) / 10;
    const key = caller === undefined ? '' : `,"keyId":"${caller.keyId}","accountId":"${caller.accountId}"`;
    const trace = traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`;
    stream.write(
      `{"level":"info","time":"${isoTime(Date.now())}","requestId":"${requestId}","method":"${method}","route":"${route}","path":"${path}","status":${status},"ms":${rounded}${key}${trace},"msg":"answered"}\n`,
    );
  };
}

/** Formats times. Under load many lines have the same millisecond, so its text is kept. */
function isoTimeOnce(): (ms: number) => string {
  let [made, text] = [NaN, ''];
  return (ms) => {
    if (ms !== made) [made, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
}
