// Loaded before each .ts file that an npm script starts (node --require). An older Node cannot load a .ts file and
// says no more than "Unknown file extension", so this file is plain JavaScript that any Node can read.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`Wartable needs Node 24 or newer; this is ${process.version}.`);
  process.exit(1);
}
