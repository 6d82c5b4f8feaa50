import type { DocEntry } from '../../../views/pages/instance/docs.js'
import { library } from './library.js'

/** The API's reference, which is no file but made of the code. */
const API_REFERENCE: DocEntry = { path: 'api', title: 'API reference' }

/** The list of documents: the guides with the API's reference after the API's, then the integrations by name. */
export function entries(siteRoot: string): DocEntry[] {
  const listed = library(siteRoot).docs.flatMap(({ path, title }) =>
    path === 'management-api' ? [{ path, title }, API_REFERENCE] : [{ path, title }],
  )
  const isIntegration = ({ path }: DocEntry) => path.startsWith('integrations/')
  return [
    ...listed.filter(entry => !isIntegration(entry)),
    ...listed.filter(isIntegration).sort((a, b) => a.title.localeCompare(b.title, 'en')),
  ]
}
