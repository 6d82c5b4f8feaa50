/** The label of a project, also if it has no name. */
export function projectLabel(project: { name: string }): string {
  return project.name || 'Unnamed project'
}
