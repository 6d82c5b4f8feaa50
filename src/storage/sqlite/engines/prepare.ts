/**
 * Run on its own after a build and before tests: installs the package that this Node.js needs, which the first
 * start would do otherwise.
 */
import { Refusal } from '../../../core/errors.js'
import { sqliteEngine } from './index.js'

try {
  sqliteEngine().open(':memory:', { mustExist: false }).close()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exit(1)
}
