/** What a confirmed deletion of several checks sends along. */
export function BulkDeleteFields({ uuids }: { uuids: readonly string[] }) {
  return (
    <>
      <input type="hidden" name="action" value="delete" />
      {uuids.map(uuid => (
        <input type="hidden" name="check" value={uuid} />
      ))}
    </>
  )
}
