import type { DocEntry } from '../../../views/pages/instance/docs.js'
import type { ApiName } from '../../api-document.js'

/** The references of the APIs, which are generated from the code. `api`: the API that it describes. */
export const API_REFERENCES: readonly (DocEntry & { api: ApiName })[] = [
  { path: 'api', title: 'API reference', api: 'v3' },
  { path: 'own-api', title: 'API reference: Punctual’s own API', api: 'punctual/v1' },
]
