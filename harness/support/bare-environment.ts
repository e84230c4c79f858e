const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/** For a program that a test starts: no setting of ours, only what lets it start, and start fast (scripts/test.ts). */
export const bareEnvironment: Record<string, string> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
};
