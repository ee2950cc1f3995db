# Homebrew formula: the published package, run by the Node.js of Homebrew. ../README.md explains the placeholders.
class Archivetool < Formula
  desc "Open, search and understand old email"
  url "RELEASE_URL"
  sha256 "RELEASE_SHA256"
  license "MIT"

  depends_on "node"

  def install
    # One package without dependencies and scripts: nothing is fetched, nothing is compiled.
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    (testpath/"one.eml").write <<~MAIL
      From: Ana Okafor <ana@sea.example>
      To: Per Lindqvist <per@harbour.example>
      Subject: Mooring lines
      Date: Tue, 01 Jan 2019 08:00:00 +0000

      Please see to the mooring lines.
    MAIL
    assert_match "Emails: 1", shell_output("#{bin}/archivetool extract one.eml --output archive")
    assert_match "Mooring lines", shell_output("#{bin}/archivetool search archive mooring")
  end
end
