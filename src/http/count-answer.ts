/** Counts an answer by the pattern of its route. Without a route it counts as `none`. */
export type CountAnswer = (route: string | undefined, status: number, ms: number) => void;
