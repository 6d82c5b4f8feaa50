/** Says that a file of configuration owns what the page is about; nothing if none does. */
export function ManagedBy({ file }: { file: string | null }) {
  if (file === null) return null
  return (
    <p class="help managed-by">
      Managed by the file <code>{file}</code>. When it is applied again, its values replace changes made on
      pages.
    </p>
  )
}
