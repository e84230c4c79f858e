// Checks every document against the contract before publishing, so that the server does not have to.
import type { TSchema, Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** Returns a function that writes a resource of this shape as JSON. It throws for any other shape. */
export function documentOf<Shape extends TSchema>(
  shape: Shape,
): (what: string, resource: Static<Shape>) => string {
  const check = checkOf(shape);
  return (what, resource) => {
    check(what, resource);
    return JSON.stringify(resource);
  };
}

/** A resource without its address. */
export type Unaddressed<Resource extends { url: string }> = Omit<Resource, 'url'>;

/**
 * Does the same as `documentOf` for resources whose last member is `url`. The text ends where the address
 * begins, because the address is a setting of the server, which adds it.
 */
export function unaddressedDocumentOf<Shape extends TSchema>(
  shape: Shape,
): (what: string, resource: Unaddressed<Static<Shape> & { url: string }>) => string {
  const check = checkOf(shape);
  return (what, resource) => {
    const addressed = { ...resource, url: anyAddress };
    check(what, addressed);
    return JSON.stringify(addressed).slice(0, -`${anyAddress}"}`.length);
  };
}

/**
 * Returns the resource unchanged. Use it for shapes with optional members, because tsc alone does not notice
 * when one is forgotten. A member of the contract that `given` never names is a type error, and so is a
 * member that the contract does not have.
 */
export const filled =
  <Resource extends object>() =>
  <Given extends Resource>(
    given: Given &
      Record<Exclude<keyof Resource, keyof Given>, unknown> &
      Record<Exclude<keyof Given, keyof Resource>, never>,
  ): Resource =>
    given;

const anyAddress = 'https://site.example/page';

function checkOf(shape: TSchema): (what: string, resource: unknown) => void {
  const compiled = Compile(shape);
  return (what, resource) => {
    if (!compiled.Check(resource)) {
      const [first] = compiled.Errors(resource);
      const reason = `${first?.instancePath || '/'}: ${first?.message ?? 'not of its shape'}`;
      throw new Error(`The document of ${what} does not fit the contract at ${reason}`);
    }
  };
}
