import type { DocEntry } from '../../../views/pages/docs.js'
import { library } from './library.js'

/** The API's reference, which is no file but made of the code. */
export const API_REFERENCE: DocEntry = { path: 'api', title: 'API reference' }

/** The list of documents: the files, and the API's reference after the API's guide. */
export function entries(siteRoot: string): DocEntry[] {
  return library(siteRoot).docs.flatMap(({ path, title }) =>
    path === 'management-api' ? [{ path, title }, API_REFERENCE] : [{ path, title }],
  )
}
