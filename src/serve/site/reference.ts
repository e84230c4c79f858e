import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/**
 * The page and the script of the interactive reference, as its plugin makes them. The page loads nothing from other
 * hosts: no fonts, no telemetry, no assistant, no proxy for the requests that people try. `base` is the path of the site.
 */
export async function referencePage(base: string): Promise<{ html: string; script: string }> {
  const workshop = fastify();
  await workshop.register(reference, {
    routePrefix: '/reference',
    configuration: {
      url: `${base}/openapi.json`,
      pageTitle: 'Wartable API reference',
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
