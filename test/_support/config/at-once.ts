/** What is made of configuration in turns, made at once. */
import * as applied from '../../../src/core/config/apply-plan.js'
import * as exported from '../../../src/core/config/export-document.js'
import * as planned from '../../../src/core/config/plan.js'
import * as read from '../../../src/core/config/read-document.js'

export const applyPlan = atOnce(applied.applyPlan)
export const exportDocument = atOnce(exported.exportDocument)
export const plan = atOnce(planned.plan)
export const readDocument = atOnce(read.readDocument)

function atOnce<A extends unknown[], T>(make: (...args: A) => Iterator<unknown, T>): (...args: A) => T {
  return (...args) => finished(make(...args))
}

/** The result of a computation in turns. */
export function finished<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
