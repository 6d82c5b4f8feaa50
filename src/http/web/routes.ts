/**
 * Every page and every action of the web application. Whoever reads this table knows what people can do. A POST
 * needs a CSRF token; a route that is not open needs somebody who is signed in; the rest each handler asks of
 * access.ts.
 */
import type { Handler } from './context.js'
import { addIntegration, showAddIntegration } from './integrations/add.js'
import { assignIntegration } from './integrations/checks.js'
import { editIntegration, showEditIntegration } from './integrations/edit.js'
import { setIntegrationEnabled } from './integrations/enabled.js'
import { listIntegrations } from './integrations/list.js'
import { removeIntegration } from './integrations/remove.js'
import { showIntegration } from './integrations/show.js'
import { testIntegration } from './integrations/test.js'

export interface WebRoute {
  method: 'GET' | 'POST'
  /** Counts from SITE_ROOT. `:uuid` and the like are parameters. */
  path: string
  handle: Handler
  /** Whether visitors who are not signed in may come. */
  open?: boolean
}

export const routes: readonly WebRoute[] = [
  // Who is told
  get('/projects/:uuid/integrations/', listIntegrations),
  get('/projects/:uuid/integrations/add/:kind/', showAddIntegration),
  post('/projects/:uuid/integrations/add/:kind/', addIntegration),
  get('/integrations/:uuid/', showIntegration),
  get('/integrations/:uuid/edit/', showEditIntegration),
  post('/integrations/:uuid/edit/', editIntegration),
  post('/integrations/:uuid/test/', testIntegration),
  post('/integrations/:uuid/enabled/', setIntegrationEnabled),
  post('/integrations/:uuid/checks/', assignIntegration),
  post('/integrations/:uuid/remove/', removeIntegration),
]
