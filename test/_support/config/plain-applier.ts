import type { Applier } from '../../../src/actions/projects/config/apply-config.js'

/** Applies plans as the operator, without asking services or recipients. */
export const plainApplier: Applier = {
  prepare: async ({ settings }) => ({ settings, asker: null }),
  ask: async () => {},
  by: null,
  author: 'Alice',
}
