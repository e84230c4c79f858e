import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Pipelines {
  /** Answers a request when all those before it on its connection are answered. */
  take: (message: IncomingMessage, response: ServerResponse, answer: () => void) => void;
  /** The same for what is no request and ends the connection, such as bytes that cannot be parsed. */
  takeLast: (socket: Socket, answer: () => void) => void;
}

interface Pipeline {
  /** Those not answered yet; the first is under way. */
  requests: { message: IncomingMessage; response: ServerResponse; answer: () => void }[];
  last?: () => void;
}

/**
 * Node parses ahead and hands over everything that a caller sends in one write: a single connection could take all
 * places at the documents, and bytes that cannot be parsed would be answered before the requests that they follow.
 */
export function createPipelines(): Pipelines {
  const pipelines = new WeakMap<Socket, Pipeline>();

  function pipelineOf(socket: Socket): Pipeline {
    let pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      pipeline = { requests: [] };
      pipelines.set(socket, pipeline);
      // Node resumes a connection by itself after each answer.
      socket.on('resume', () => pauseOrResume(socket));
    }
    return pipeline;
  }

  function pauseOrResume(socket: Socket): void {
    const { requests, last } = pipelineOf(socket);
    const isToBeRead = requests.length <= mostWaiting && last === undefined;
    if (!isToBeRead) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  function goOn(socket: Socket): void {
    const { requests, last } = pipelineOf(socket);
    requests.shift();
    pauseOrResume(socket);
    // The answer may have been the last: what came after it is nobody's.
    if (socket.writable) (requests[0]?.answer ?? last)?.();
  }

  return {
    take(message, response, answer) {
      const { socket } = message;
      const { requests } = pipelineOf(socket);
      requests.push({ message, response, answer });
      response.once('close', () => goOn(socket));
      pauseOrResume(socket);
      if (requests.length === 1) answer();
    },
    takeLast(socket, answer) {
      const pipeline = pipelineOf(socket);
      if (pipeline.last !== undefined) return;
      pipeline.last = answer;
      const latest = pipeline.requests.at(-1);
      if (latest !== undefined && !latest.message.complete) {
        // It is the body of this one that broke. In the middle of its answer, an error would be taken for a part of it.
        if (latest.response.headersSent) socket.destroy();
        pipeline.requests.pop();
      }
      pauseOrResume(socket);
      if (pipeline.requests.length === 0 && socket.writable) answer();
    },
  };
}

/** Beyond it, what a caller sends is left unread. What was read with them in one piece waits, too: 64 KB. */
const mostWaiting = 16;
