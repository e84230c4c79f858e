/** The variable parts of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Creates a function that finds the route of a path.
 *
 * `URLPattern` would not do: it resolves `..` and does not match empty parts, and trying forty of them takes
 * as long as a whole answer from memory.
 */
export function createRouter<T extends { pattern: string }>(routes: readonly T[]) {
  const isOpen = ({ pattern }: T) => pattern.includes(':');
  const fixed = new Map(routes.filter((route) => !isOpen(route)).map((route) => [route.pattern, route]));
  const open = routes.filter(isOpen).map((route) => ({ route, shape: shapeOf(route.pattern) }));

  /** Returns undefined for a path without a route. Throws a URIError for one that cannot be decoded. */
  return (target: string): { route: T; params: PathParameters } | undefined => {
    const [given = ''] = target.split('?', 1);
    const isEncoded = given.includes('%');
    // Brings the path into one spelling. An encoded slash stays encoded, so that only a variable part may
    // contain one.
    const path = isEncoded ? changed(given, (part) => encodeURIComponent(decodeURIComponent(part))) : given;
    const known = fixed.get(path);
    if (known !== undefined) return { route: known, params: {} };
    for (const { route, shape } of open) {
      const params = shape.exec(path)?.groups;
      if (params === undefined) continue;
      if (isEncoded) for (const name in params) params[name] = decodeURIComponent(params[name] ?? '');
      return { route, params };
    }
    return undefined;
  };
}

/** Converts a pattern to an expression in which a variable part may be empty: `/clubs/` asks for a club. */
function shapeOf(pattern: string): RegExp {
  const shape = changed(pattern, (part) =>
    part.startsWith(':') ? `(?<${part.slice(1)}>[^/]*)` : RegExp.escape(part),
  );
  return new RegExp(`^${shape}$`);
}

function changed(path: string, change: (part: string) => string): string {
  return path.split('/').map(change).join('/');
}
