// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type ConfigExport = {
  /** The file as JSON. It has a variable such as `OPS_URL` in place of each secret. */
  document: { [name: string]: unknown }
  /** The variables that stand for secrets, with their places. */
  variables: {
    name: string
    at: string[]
  }[]
}

export type ConfigSchema = { [name: string]: unknown }

export type ConfigPlanRequest = {
  /** The content of the file as JSON, with its variables replaced. `GET /config/schema` has its JSON Schema. */
  document: { [name: string]: unknown }
  /** The name of the file. It owns what it creates or changes. */
  owner?: string
  /** Whether what the file owns and no longer has is deleted. */
  prune?: boolean
  /** How many objects may be deleted. Null: a fifth of what the file owns. */
  max_deletes?: number | null
}

export type ConfigPlan = {
  /** Of the project: `/config:apply` takes it. */
  fingerprint: string
  steps: {
    /** `adopt`: the object was made by other means, and from now on the file owns it. */
    action: 'create' | 'adopt' | 'change' | 'delete'
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
    /** Its key before. */
    moved_from: string | null
    fields: {
      name: string
      /** Null if it is a secret. */
      before: unknown
      /** Null if it is a secret. */
      after: unknown
      secret: boolean
    }[]
  }[]
  /** What the file owns and no longer has, and what stays because nothing is to be deleted. */
  left: {
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
  }[]
  /** What is wrong with the file, with the places in it. None: it can be applied. */
  problems: {
    at: string[]
    problem: string
  }[]
}

export type ConfigApplyRequest = {
  /** The content of the file as JSON, with its variables replaced. `GET /config/schema` has its JSON Schema. */
  document: { [name: string]: unknown }
  /** The name of the file. It owns what it creates or changes. */
  owner?: string
  /** Whether what the file owns and no longer has is deleted. */
  prune?: boolean
  /** How many objects may be deleted. Null: a fifth of what the file owns. */
  max_deletes?: number | null
  /** Of the plan that is to be applied; null: whatever the project is now. */
  fingerprint?: string | null
}

export type ConfigApplied = {
  steps: {
    /** `adopt`: the object was made by other means, and from now on the file owns it. */
    action: 'create' | 'adopt' | 'change' | 'delete'
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
    /** Its key before. */
    moved_from: string | null
    fields: {
      name: string
      /** Null if it is a secret. */
      before: unknown
      /** Null if it is a secret. */
      after: unknown
      secret: boolean
    }[]
  }[]
  /** What the file owns and no longer has, and what stays because nothing is to be deleted. */
  left: {
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
  }[]
}
