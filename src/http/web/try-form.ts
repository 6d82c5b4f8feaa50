import type { HtmlEscapedString } from 'hono/utils/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal } from '../../core/errors.js'
import { sentence } from '../../core/text/sentence.js'
import type { Problem } from '../../views/components/forms/form-problem.js'
import { failureOf } from '../errors.js'
import type { WebContext } from './context.js'
import { noteRefusal } from './security.js'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * Runs the action of a form. A refusal shows the form again with the error; `not-found`, `forbidden` and unexpected
 * errors are rethrown.
 */
export async function tryForm(
  c: WebContext,
  act: () => Promise<Response>,
  again: (problem: Problem) => Html | Promise<Html>,
): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not-found' || error.code === 'forbidden') throw error
    await noteRefusal(c, error)
    const { status } = failureOf(error, () => {})
    const problem = { field: error.field ?? null, message: sentence(error.message) }
    return await c.html(await again(problem), status as ContentfulStatusCode)
  }
}
