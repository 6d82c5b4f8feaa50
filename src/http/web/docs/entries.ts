import type { DocEntry } from '../../../views/pages/instance/docs.js'
import { API_REFERENCES } from './api-references.js'
import { library } from './library.js'

/** The list of documents: the guides with the references after the API's, then the integrations by name. */
export async function entries(siteRoot: string): Promise<DocEntry[]> {
  const listed = (await library(siteRoot)).docs.flatMap(({ path, title }) =>
    path === 'management-api' ? [{ path, title }, ...API_REFERENCES] : [{ path, title }],
  )
  const isIntegration = ({ path }: DocEntry) => path.startsWith('integrations/')
  return [
    ...listed.filter(entry => !isIntegration(entry)),
    ...listed.filter(isIntegration).sort((a, b) => a.title.localeCompare(b.title, 'en')),
  ]
}
