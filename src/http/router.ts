/** The parts of a path that its pattern leaves open, by their names. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Finds the route of a path. `URLPattern` would not do: it resolves `..` and takes no empty part, and to ask forty of them takes
 * as long as a whole answer from memory.
 */
export function createRouter<T extends { pattern: string }>(routes: readonly T[]) {
  const isOpen = ({ pattern }: T) => pattern.includes(':');
  const fixed = new Map(routes.filter((route) => !isOpen(route)).map((route) => [route.pattern, route]));
  const open = routes.filter(isOpen).map((route) => ({ route, shape: shapeOf(route.pattern) }));

  /** Undefined for a path that no route has. Throws a URIError for one that cannot be decoded. */
  return (target: string): { route: T; params: PathParameters } | undefined => {
    const [given = ''] = target.split('?', 1);
    const isEncoded = given.includes('%');
    // In one spelling. A slash that was encoded stays so: only a part that a pattern leaves open may contain one.
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

/** An open part may be empty: `/clubs/` asks for a club. */
function shapeOf(pattern: string): RegExp {
  const shape = changed(pattern, (part) =>
    part.startsWith(':') ? `(?<${part.slice(1)}>[^/]*)` : RegExp.escape(part),
  );
  return new RegExp(`^${shape}$`);
}

function changed(path: string, change: (part: string) => string): string {
  return path.split('/').map(change).join('/');
}
