import { parentPort, workerData } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Reference } from './reference.ts';

// A worker thread: see reference.ts. The page loads nothing from other hosts: no fonts, no telemetry, no assistant, no proxy
// for the requests that people try.

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await referenceOf(workerData as { base: string; siteName: string }));

async function referenceOf({ base, siteName }: { base: string; siteName: string }): Promise<Reference> {
  const workshop = fastify();
  await workshop.register(reference, {
    routePrefix: '/reference',
    configuration: {
      url: `${base}/openapi.json`,
      pageTitle: `${siteName} API reference`,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      defaultOpenAllTags: true,
      proxyUrl: '',
    },
  });
  const html = await workshop.inject('/reference/');
  const script = await workshop.inject('/reference/js/scalar.js');
  await workshop.close();
  return { html: html.body, script: script.body };
}
