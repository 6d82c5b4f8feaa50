/** What a project is called, even where nobody named it. */
export function projectLabel(project: { name: string }): string {
  return project.name || 'Unnamed project'
}
