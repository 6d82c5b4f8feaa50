/** The check that a new project has, to try things with. */
export const STARTER_CHECK = { name: 'My first check', slug: 'my-first-check' }

/** The project that a new account has. */
export function starterProject(pingKey: string, now: number) {
  return { name: 'Default', pingKey, now }
}
