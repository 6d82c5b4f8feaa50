// Builds the client library: one file for `import` and one for `require`. Each has its own type declarations, because
// TypeScript takes the module type of a declaration file from the nearest package.json.
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes client.js, client.cjs and their type declarations to `folder`. Exits on a type error. */
export async function buildClient({ root, folder, tsc, esbuild }) {
  const types = join(folder, 'types')
  const declared = spawnSync(
    process.execPath,
    [tsc, '-p', join(root, 'src/client'), '--outDir', join(types, 'import')],
    { stdio: 'inherit', cwd: root },
  )
  if (declared.status !== 0) process.exit(declared.status ?? 1)
  cpSync(join(types, 'import'), join(types, 'require'), { recursive: true })
  writeFileSync(join(types, 'require', 'package.json'), '{ "type": "commonjs" }\n')
  for (const [format, file] of [
    ['esm', 'client.js'],
    ['cjs', 'client.cjs'],
  ]) {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/client/index.ts'],
      outfile: join(folder, file),
      bundle: true,
      // Without Node.js APIs, so that it runs anywhere.
      platform: 'neutral',
      format,
      target: 'es2022',
      logLevel: 'warning',
    })
  }
}
