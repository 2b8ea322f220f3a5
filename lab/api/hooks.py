"""Signs what schemathesis sends as AWS's clients do."""

import schemathesis
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from requests.auth import AuthBase

SIGNER = SigV4Auth(Credentials("test", "test"), "execute-api", "us-east-1")


class Signed(AuthBase):
    def __call__(self, request):
        body = request.body
        if hasattr(body, "read"):
            body = body.read()
            request.body = body
        signed = AWSRequest(method=request.method, url=request.url, data=body or b"")
        SIGNER.add_auth(signed)
        request.headers.update(signed.headers.items())
        return request


schemathesis.auth.set_from_requests(Signed())
