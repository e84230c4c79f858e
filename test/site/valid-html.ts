import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';

// Names of events are long, and they are part of titles.
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'long-title': 'off' },
});

/** Fails if the HTML is not valid. `page` appears in the failure. */
export async function assertValidHtml(text: string, page: string): Promise<void> {
  const { results } = await validator.validateString(text);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
  assert.deepEqual(found, [], page);
}
