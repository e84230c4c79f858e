const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/**
 * The environment of a program that a test starts. It contains none of our settings, only what the program
 * needs to start, and to start quickly (scripts/test.ts).
 */
export const bareEnvironment: Record<string, string> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
};
