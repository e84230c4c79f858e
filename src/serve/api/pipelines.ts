import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Pipelines {
  /** Answers a request after all earlier requests on its connection. */
  take: (message: IncomingMessage, response: ServerResponse, answer: () => void) => void;
  /** The same for input that is not a request and ends the connection, such as bytes that cannot be parsed. */
  takeLast: (socket: Socket, answer: () => void) => void;
}

interface Pipeline {
  /** Requests without an answer. The first one is being answered. */
  requests: { message: IncomingMessage; response: ServerResponse; answer: () => void }[];
  last?: () => void;
}

/**
 * Node parses ahead and hands over all requests of a pipeline at once. Then a single connection could take all places
 * of the gate, and bytes that cannot be parsed would be answered before the requests in front of them.
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
    // The last answer may have closed the connection. Then the rest of the pipeline gets no answer.
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
        // The body of this request is broken. If its answer has begun, an error would look like a part of that answer.
        if (latest.response.headersSent) socket.destroy();
        pipeline.requests.pop();
      }
      pauseOrResume(socket);
      if (pipeline.requests.length === 0 && socket.writable) answer();
    },
  };
}

/** With more waiting requests we stop reading. Requests from the same read (up to 64 KB) still join the queue. */
const mostWaiting = 16;
