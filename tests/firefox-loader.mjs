// firefox-loader.mjs CHECKOUT FILE...: has the loader of a checkout of Firefox Profiler read files, and prints the version, and the sum of
// weights of each thread. Bundled by the esbuild of $NODE_PATH, where packages of the loader are, too, but for
// json-slabs: that is for binary files alone.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.env.NODE_PATH + "/");
const { build } = require("esbuild");
const [checkout, ...files] = process.argv.slice(2);
const missing = {
  name: "missing",
  setup(build) {
    build.onResolve({ filter: /^json-slabs$/ }, (found) => ({ path: found.path, namespace: "missing" }));
    build.onLoad({ filter: /.*/, namespace: "missing" }, () => ({
      contents: "export const isJsonSlabsFile = () => false, decode = null, encode = null;",
    }));
  },
};
await build({
  stdin: {
    contents: `export { unserializeProfileOfArbitraryFormat } from "firefox-profiler/profile-logic/process-profile";`,
    resolveDir: checkout,
  },
  absWorkingDir: checkout,
  alias: { "firefox-profiler": "./src", "firefox-profiler-res": "./res" },
  nodePaths: [process.env.NODE_PATH],
  bundle: true, platform: "node", format: "cjs", logLevel: "error", plugins: [missing],
  loader: { ".png": "empty", ".svg": "empty", ".wasm": "empty", ".css": "empty" },
  outfile: process.cwd() + "/firefox-loader.bundle.cjs",
});
const { unserializeProfileOfArbitraryFormat } = require(process.cwd() + "/firefox-loader.bundle.cjs");
for (const file of files) {
  const bytes = readFileSync(file);
  const profile = await unserializeProfileOfArbitraryFormat(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), file);
  const sums = profile.threads.map((thread) => thread.samples.weight.reduce((a, b) => a + b, 0));
  console.log([profile.meta.preprocessedProfileVersion, ...sums].join(" "));
}
