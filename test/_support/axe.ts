import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds serious or worse in a page, one line each. Its code is run past the page's policy. */
export async function findViolations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async text => {
    // biome-ignore lint/security/noGlobalEval: axe is injected where the page's policy lets no script in
    if (!('axe' in globalThis)) globalThis.eval(text)
    // biome-ignore lint/suspicious/noExplicitAny: axe has no types inside the page
    const results = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] })
    return results.violations.flatMap(
      (violation: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }) =>
        violation.nodes.map(node => ({ ...violation, html: node.html, why: node.failureSummary })),
    )
  }, source)
  return found
    .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
    .map(({ id, html, why }: { id: string; html: string; why: string }) => `${id}: ${html} (${why})`)
}
