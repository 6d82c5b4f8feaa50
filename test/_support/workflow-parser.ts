/** GitHub's own parser of workflows, which checks every key, event, permission and expression. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { packageRoot } from '../../src/lib/package-root.js'

/** Gives the errors of a workflow's text, each with its line. */
export type WorkflowErrors = (name: string, content: string) => Promise<string[]>

/** The parser, bundled first, because it imports JSON in a way that Node.js refuses. */
export async function workflowParser(): Promise<WorkflowErrors> {
  const { outputFiles } = await build({
    entryPoints: ['@actions/workflow-parser'],
    absWorkingDir: join(packageRoot, 'test'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('file:///')" },
  })
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64')
  const parser = await import(`data:text/javascript;base64,${code}`)
  return async (name, content) => {
    const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter())
    if (value) await parser.convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(String)
  }
}
