// Loaded first by the installed command, and before each .ts file that an npm script starts (node --require).
// An older Node cannot load the rest and would only say "Unknown file extension". Any Node can read this file.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `Wartable needs Node 24 or newer; this is ${process.version}. Install it from https://nodejs.org.`,
  );
  process.exit(1);
}
