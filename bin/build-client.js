// Makes the client that other programs import: one file for `import` and one for `require`, each with declarations of
// its own, because TypeScript takes a declaration file for the kind of module that the nearest package.json says.
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes client.js, client.cjs and the folders of their types into `folder`. Exits when a type is wrong. */
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
      // It needs nothing of Node.js, so that it also runs elsewhere.
      platform: 'neutral',
      format,
      target: 'es2022',
      logLevel: 'warning',
    })
  }
}
