/** Text with code between backticks. */
export function Coded({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece))}
    </>
  );
}
