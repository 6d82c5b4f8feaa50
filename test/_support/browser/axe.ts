import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * The problems that axe-core considers serious or worse, one per line; `rules` limits them. Its code is run by the
 * browser's debugger, so no policy of the page blocks it.
 */
export async function findViolations(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations: Violation[] = await page.evaluate(async only => {
    const runOnly = only.length > 0 ? { runOnly: only } : {}
    // biome-ignore lint/suspicious/noExplicitAny: axe has no types inside the page
    const { violations } = await (globalThis as any).axe.run(document, {
      resultTypes: ['violations'],
      // No rule that is on by default reads style sheets, whose loading takes half of the time.
      preload: false,
      ...runOnly,
    })
    return violations.map(({ id, impact, nodes }: Violation) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
  }, rules)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} (${node.failureSummary})`))
}
