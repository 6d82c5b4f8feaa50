/** The check in a new project, for trying things out. */
export const STARTER_CHECK = { name: 'My first check', slug: 'my-first-check' }

/** The project of a new account. */
export function starterProject(pingKey: string, now: number) {
  return { name: 'Default', pingKey, now }
}
