//! Transcripts of sessions: those of the README and those kept beside this file.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .case("tests/cli/*.trycmd")
        .case("../../README.md");
}
