/** Run by itself, after a build and before tests: installs what this Node.js lacks, which the first start does otherwise. */
import { Refusal } from '../../../core/errors.js'
import { sqliteEngine } from './index.js'

try {
  sqliteEngine().open(':memory:', { mustExist: false }).close()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exit(1)
}
