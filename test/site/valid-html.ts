import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';

// Names of events are long, and stand in titles.
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'long-title': 'off' },
});

/** `page` is said when it fails. */
export async function assertValidHtml(text: string, page: string): Promise<void> {
  const { results } = await validator.validateString(text);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
  assert.deepEqual(found, [], page);
}
