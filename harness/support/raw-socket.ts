import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  header: (name: string) => string | undefined;
  headerNames: string[];
  text: string;
  /** The whole answer without the request id and the date, which always differ. */
  comparable: string;
}

/**
 * Sends raw bytes (one character is one byte), including those that no HTTP client would send, and reads one
 * answer.
 */
export function exchange(apiUrl: string, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1');
    let answer = '';
    const isWhole = () => {
      const [head, body] = parts(answer);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      return (
        answer.includes('\r\n\r\n') && (body.length >= Number(length ?? 0) || request.startsWith('HEAD '))
      );
    };
    socket.setEncoding('latin1');
    socket.setTimeout(120_000, () => socket.destroy(new Error(`no answer to ${request.slice(0, 200)}`)));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (isWhole()) socket.destroy();
    });
    socket.on('close', () => resolve(parsed(answer)));
    socket.on('error', (error) => (isWhole() ? undefined : reject(error)));
    socket.write(request, 'latin1');
  });
}

function parsed(answer: string): RawAnswer {
  const [head, body] = parts(answer);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim(),
    headerNames: [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase()),
    text: Buffer.from(body, 'latin1').toString(),
    comparable: answer.replace(/^x-request-id: .*$/im, '').replace(/^date: .*$/im, ''),
  };
}

function parts(answer: string): [string, string] {
  const end = answer.indexOf('\r\n\r\n');
  return end < 0 ? [answer, ''] : [answer.slice(0, end), answer.slice(end + 4)];
}
